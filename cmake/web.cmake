# The browser client inside the server. With TRIQUETRA_WEB=on npm builds clients/web, with the Node
# that its lock file names, and the files become one blob and a table of it. With off nothing here
# needs npm, and the server says so on its page.
set(TRIQUETRA_WEB on CACHE STRING "on: build the browser client and embed it; off: without it")
if(TRIQUETRA_WEB)
  enable_language(ASM)
endif()

# Adds embedded_web_files() to the target.
function(triquetra_embed_web TARGET)
  set(folder ${CMAKE_BINARY_DIR}/web)
  if(NOT TRIQUETRA_WEB)
    file(CONFIGURE OUTPUT ${folder}/none.cpp @ONLY CONTENT
"// Written by cmake/web.cmake: a build without the browser client.
#include \"server/ops/web_files.hpp\"
std::vector<triquetra::EmbeddedFile> triquetra::embedded_web_files() { return {}; }
")
    target_sources(${TARGET} PRIVATE ${folder}/none.cpp)
    return()
  endif()

  set(web ${CMAKE_SOURCE_DIR}/clients/web)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS
    ${web}/src/* ${web}/public/* ${web}/tools/* ${CMAKE_SOURCE_DIR}/i18n/*.json)
  add_custom_command(
    OUTPUT ${folder}/files.bin ${folder}/files.cpp
    COMMAND ${web}/tools/build ${folder}
    DEPENDS ${sources} ${web}/index.html ${web}/vite.config.ts ${web}/package-lock.json
    COMMENT "Building the browser client"
    VERBATIM)
  set_source_files_properties(${CMAKE_SOURCE_DIR}/server/ops/web_blob.S PROPERTIES
    COMPILE_OPTIONS "-DWEB_BLOB=\"${folder}/files.bin\""
    OBJECT_DEPENDS ${folder}/files.bin)
  target_sources(${TARGET} PRIVATE ${folder}/files.cpp ${CMAKE_SOURCE_DIR}/server/ops/web_blob.S)
endfunction()
