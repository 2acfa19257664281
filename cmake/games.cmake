# Finds games: each folder below DIRS that holds a rules.hpp is one. Makes the library NAME of their
# code, and a header all_games.hpp in a folder of its own that lists their Rules as one type list.
function(triquetra_games NAME)
  set(includes "")
  set(rules "")
  set(sources "")
  foreach(dir IN LISTS ARGN)
    file(GLOB headers CONFIGURE_DEPENDS ${dir}/*/rules.hpp)
    list(SORT headers)
    foreach(header IN LISTS headers)
      get_filename_component(folder ${header} DIRECTORY)
      get_filename_component(game ${folder} NAME)
      file(RELATIVE_PATH include ${CMAKE_SOURCE_DIR} ${header})
      string(APPEND includes "#include \"${include}\"\n")
      list(APPEND rules "${game}::Rules")
      file(GLOB game_sources CONFIGURE_DEPENDS ${folder}/*.cpp)
      list(FILTER game_sources EXCLUDE REGEX "(_test|/vectors)\\.cpp$")
      list(APPEND sources ${game_sources})
    endforeach()
  endforeach()
  list(JOIN rules ", " rule_list)
  set(folder ${CMAKE_BINARY_DIR}/generated/${NAME})
  file(CONFIGURE OUTPUT ${folder}/all_games.hpp @ONLY CONTENT
"// Written by cmake/games.cmake: every game there is.
#pragma once
#include <boost/mp11/list.hpp>
${includes}
namespace triquetra {
using AllGames = boost::mp11::mp_list<${rule_list}>;
}
")
  add_library(${NAME} STATIC ${sources})
  target_include_directories(${NAME} PUBLIC ${folder})
  target_link_libraries(${NAME} PUBLIC triquetra_engine)
endfunction()
