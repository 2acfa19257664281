# Finds games: each folder that holds a rules.hpp is one. Nothing else in the build lists games.

# The library NAME of the rules of all games below FOLDER; with BESIDES another such library, whose
# games come first. Its header all_games.hpp lists the Rules of all of them as one type list.
function(triquetra_games NAME FOLDER)
  cmake_parse_arguments(PARSE_ARGV 2 ARG "" "BESIDES" "")
  set(own "")
  set(sources "")
  file(GLOB headers CONFIGURE_DEPENDS ${FOLDER}/*/rules.hpp)
  list(SORT headers)
  foreach(header IN LISTS headers)
    get_filename_component(folder ${header} DIRECTORY)
    file(RELATIVE_PATH folder_in_tree ${CMAKE_SOURCE_DIR} ${folder})
    list(APPEND own ${folder_in_tree})
    file(GLOB game_sources CONFIGURE_DEPENDS ${folder}/*.cpp)
    list(FILTER game_sources EXCLUDE REGEX "(_test|/vectors)\\.cpp$")
    list(APPEND sources ${game_sources})
  endforeach()
  set(all ${own})
  if(ARG_BESIDES)
    get_target_property(others ${ARG_BESIDES} TRIQUETRA_ALL_GAMES)
    list(PREPEND all ${others})
  endif()

  set(includes "")
  set(rules "")
  foreach(folder IN LISTS all)
    get_filename_component(game ${folder} NAME)
    string(APPEND includes "#include \"${folder}/rules.hpp\"\n")
    list(APPEND rules "${game}::Rules")
  endforeach()
  list(JOIN rules ", " rule_list)
  set(generated ${CMAKE_BINARY_DIR}/generated/${NAME})
  file(CONFIGURE OUTPUT ${generated}/all_games.hpp @ONLY CONTENT
"// Written by cmake/games.cmake: every game there is.
#pragma once
#include <boost/mp11/list.hpp>
${includes}
namespace triquetra {
using AllGames = boost::mp11::mp_list<${rule_list}>;
}
")
  add_library(${NAME} STATIC ${sources})
  target_include_directories(${NAME} PUBLIC ${generated})
  target_link_libraries(${NAME} PUBLIC triquetra_engine ${ARG_BESIDES})
  # Each file of a game has its helpers to itself.
  set_target_properties(${NAME} PROPERTIES UNITY_BUILD OFF
    TRIQUETRA_OWN_GAMES "${own}" TRIQUETRA_ALL_GAMES "${all}")
  triquetra_runs_often(${NAME})
endfunction()

# For each game of the library GAMES a source of its own in FOLDER, made from TEMPLATE, in which
# @GAME@ stands for the game and @RULES@ for its rules.hpp; OUT lists them.
function(triquetra_source_per_game GAMES WHICH TEMPLATE FOLDER OUT)
  get_target_property(folders ${GAMES} TRIQUETRA_${WHICH}_GAMES)
  get_filename_component(name ${TEMPLATE} NAME_WE)
  set(sources "")
  foreach(folder IN LISTS folders)
    get_filename_component(GAME ${folder} NAME)
    set(RULES ${folder}/rules.hpp)
    configure_file(${TEMPLATE} ${FOLDER}/${name}_${GAME}.cpp @ONLY)
    list(APPEND sources ${FOLDER}/${name}_${GAME}.cpp)
  endforeach()
  set(${OUT} ${sources} PARENT_SCOPE)
endfunction()

# The library NAME that makes the catalogue of all games of the library GAMES. What a game's types
# become on the wire is compiled once, in the library of the games that it came with.
function(triquetra_catalog NAME GAMES)
  set(generated ${CMAKE_BINARY_DIR}/generated/${NAME})
  triquetra_source_per_game(${GAMES} OWN ${CMAKE_SOURCE_DIR}/protocol/kind_of_game.cpp.in ${generated} kinds)
  add_library(${GAMES}_kinds STATIC ${kinds})
  target_link_libraries(${GAMES}_kinds PUBLIC triquetra_protocol ${GAMES})
  triquetra_runs_often(${GAMES}_kinds)

  get_target_property(folders ${GAMES} TRIQUETRA_ALL_GAMES)
  set(declarations "")
  set(calls "")
  foreach(folder IN LISTS folders)
    get_filename_component(game ${folder} NAME)
    string(APPEND declarations "namespace ${game} { GameKind kind(); }\n")
    list(APPEND calls "${game}::kind()")
  endforeach()
  list(JOIN calls ", " call_list)
  file(CONFIGURE OUTPUT ${generated}/all_kinds.cpp @ONLY CONTENT
"// Written by cmake/games.cmake: every game that this program knows.
#include \"protocol/catalog.hpp\"

namespace triquetra {
${declarations}
const std::vector<GameKind>& catalog() {
  static const std::vector<GameKind> kKinds = {${call_list}};
  return kKinds;
}
}
")
  add_library(${NAME} STATIC ${generated}/all_kinds.cpp
    ${CMAKE_SOURCE_DIR}/protocol/catalog.cpp ${CMAKE_SOURCE_DIR}/protocol/match_record.cpp)
  target_link_libraries(${NAME} PUBLIC triquetra_protocol ${GAMES}_kinds)
endfunction()
