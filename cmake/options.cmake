# How everything here is compiled: one interface target that every target links.
add_library(triquetra_options INTERFACE)
target_include_directories(triquetra_options INTERFACE ${CMAKE_SOURCE_DIR})
target_compile_options(triquetra_options INTERFACE
  -Wall -Wextra -Wpedantic -Werror -Wshadow -Wconversion -Wsign-conversion -Wold-style-cast
  -Wnon-virtual-dtor -Woverloaded-virtual -Wcast-align -Wimplicit-fallthrough -Wnull-dereference
  -Wextra-semi)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # False alarms of g++ 12 in optimised std::vector, std::string and std::optional code.
  target_compile_options(triquetra_options INTERFACE
    -Wno-null-dereference -Wno-maybe-uninitialized -Wno-stringop-overflow -Wno-array-bounds
    -Wno-restrict -Wno-dangling-pointer -Wno-free-nonheap-object)
endif()
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  # g++ and the linter decide what is a warning here.
  target_compile_options(triquetra_options INTERFACE -w)
endif()
# What is released has the same bytes wherever and whenever it was built: scripts/release --twice.
# A compiler's cache may name the same files from where the build runs.
file(RELATIVE_PATH sources_from_build ${CMAKE_BINARY_DIR} ${CMAKE_SOURCE_DIR})
target_compile_options(triquetra_options INTERFACE
  $<$<CONFIG:Release>:-Wdate-time;-fmacro-prefix-map=${CMAKE_SOURCE_DIR}/=>
  $<$<CONFIG:Release>:-fmacro-prefix-map=${sources_from_build}/=>)
# What strangers talk to is built as Debian builds such programs: a slip with memory ends the program
# instead of doing what the stranger wants.
target_compile_options(triquetra_options INTERFACE
  $<$<CONFIG:Release>:-D_FORTIFY_SOURCE=2;-fstack-protector-strong;-fstack-clash-protection>)
target_link_options(triquetra_options INTERFACE $<$<CONFIG:Release>:-Wl,-z,relro,-z,now>)
if(TRIQUETRA_FUZZ)
  # Where the fuzzer learns which way the code went.
  target_compile_options(triquetra_options INTERFACE -fsanitize=fuzzer-no-link)
endif()
# Links each of the many test programs in a fraction of the time.
find_program(MOLD mold)
if(MOLD AND TRIQUETRA_TESTS)
  target_link_options(triquetra_options INTERFACE -fuse-ld=mold)
endif()
if(TRIQUETRA_SANITIZER)
  target_compile_options(triquetra_options INTERFACE
    -fsanitize=${TRIQUETRA_SANITIZER} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(triquetra_options INTERFACE -fsanitize=${TRIQUETRA_SANITIZER})
  if(TRIQUETRA_SANITIZER MATCHES "thread")
    # ThreadSanitizer does not understand the fences that Asio uses otherwise.
    target_compile_definitions(triquetra_options INTERFACE BOOST_ASIO_DISABLE_FENCED_BLOCK)
  endif()
endif()

# A library that tests run millions of times: builds for sanitizers, where else compiling takes longer
# than running, optimise it too.
function(triquetra_runs_often TARGET)
  if(TRIQUETRA_SANITIZER)
    target_compile_options(${TARGET} PRIVATE -O1)
  endif()
endfunction()
