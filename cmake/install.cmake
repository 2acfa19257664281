# What an installation is made of, in two parts: server and client; and the Debian packages of each. Where
# things go is GNUInstallDirs' word. Who makes packages says whom to write to with TRIQUETRA_CONTACT.
include(GNUInstallDirs)

set(TRIQUETRA_CONTACT "Triquetra contributors <contributors@triquetra.example>" CACHE STRING
  "Whom users of the packages write to")

install(TARGETS triquetrad RUNTIME DESTINATION ${CMAKE_INSTALL_SBINDIR} COMPONENT server)
install(TARGETS triquetra RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT client)

# Debian has manuals and long documents compressed, without a name or a time in them.
set(packaging ${CMAKE_BINARY_DIR}/packaging)
function(triquetra_install_compressed FILE NAME DESTINATION COMPONENT)
  set(compressed ${packaging}/${COMPONENT}/${NAME}.gz)
  install(CODE "
    file(MAKE_DIRECTORY \"${packaging}/${COMPONENT}\")
    execute_process(COMMAND gzip -9cn \"${FILE}\"
      OUTPUT_FILE \"${compressed}\" COMMAND_ERROR_IS_FATAL ANY)
  " COMPONENT ${COMPONENT})
  install(FILES ${compressed} DESTINATION ${DESTINATION} COMPONENT ${COMPONENT})
endfunction()
function(triquetra_install_pages COMPONENT DESTINATION)
  foreach(page IN LISTS ARGN)
    get_filename_component(name ${page} NAME)
    triquetra_install_compressed(${CMAKE_SOURCE_DIR}/${page} ${name} ${DESTINATION} ${COMPONENT})
  endforeach()
endfunction()

triquetra_install_pages(server ${CMAKE_INSTALL_MANDIR}/man8 packaging/man/triquetrad.8)
triquetra_install_pages(client ${CMAKE_INSTALL_MANDIR}/man1 packaging/man/triquetra.1)
foreach(part server client)
  set(documents ${CMAKE_INSTALL_DATAROOTDIR}/doc/triquetra-${part})
  # The time in the changelog that Debian asks for is SOURCE_DATE_EPOCH, where it is set.
  install(CODE "
    set(PROJECT_VERSION ${PROJECT_VERSION})
    set(TRIQUETRA_CONTACT \"${TRIQUETRA_CONTACT}\")
    string(TIMESTAMP TIME \"%a, %d %b %Y %H:%M:%S +0000\" UTC)
    configure_file(${CMAKE_SOURCE_DIR}/packaging/debian/changelog.in ${packaging}/changelog @ONLY)
    execute_process(COMMAND ${CMAKE_SOURCE_DIR}/packaging/copyright
      OUTPUT_FILE ${packaging}/copyright COMMAND_ERROR_IS_FATAL ANY)
  " COMPONENT ${part})
  triquetra_install_compressed(${packaging}/changelog changelog ${documents} ${part})
  triquetra_install_pages(${part} ${documents} CHANGELOG.md)
  # The list of what is inside is made by scripts/release.
  install(FILES ${packaging}/copyright DESTINATION ${documents} COMPONENT ${part})
  install(FILES ${packaging}/sbom.spdx.json DESTINATION ${documents} COMPONENT ${part} OPTIONAL)
endforeach()
set(documents ${CMAKE_INSTALL_DATAROOTDIR}/doc)
triquetra_install_pages(server ${documents}/triquetra-server docs/HOSTING.md docs/SECURITY.md docs/VERSIONS.md)
triquetra_install_pages(client ${documents}/triquetra-client docs/TERMINAL.md docs/PROTOCOL.md)

# The programs know their words; the shells find them under the name of each.
set(completions ${CMAKE_SOURCE_DIR}/packaging/completions)
foreach(pair triquetra:client triquetrad:server)
  string(REGEX MATCH "^[^:]+" program ${pair})
  string(REGEX MATCH "[^:]+$" part ${pair})
  install(FILES ${completions}/triquetra.bash RENAME ${program}
    DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/bash-completion/completions COMPONENT ${part})
  install(FILES ${completions}/_triquetra RENAME _${program}
    DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/zsh/vendor-completions COMPONENT ${part})
  install(FILES ${completions}/triquetra.fish RENAME ${program}.fish
    DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/fish/vendor_completions.d COMPONENT ${part})
endforeach()

# The service has paths in it, which are known when the prefix is: below /usr the settings are in /etc.
set(service ${packaging}/triquetrad.service)
install(CODE "
  set(SBINDIR \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_SBINDIR}\")
  set(SYSCONFDIR \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_SYSCONFDIR}\")
  if(CMAKE_INSTALL_PREFIX STREQUAL /usr)
    set(SYSCONFDIR /etc)
  endif()
  configure_file(${CMAKE_SOURCE_DIR}/packaging/triquetrad.service.in ${service} @ONLY)
  file(INSTALL ${CMAKE_SOURCE_DIR}/packaging/triquetrad.conf
    DESTINATION \"\${SYSCONFDIR}/triquetra\" PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
" COMPONENT server)
install(FILES ${service} ${CMAKE_SOURCE_DIR}/packaging/triquetrad.socket
  DESTINATION lib/systemd/system COMPONENT server)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME triquetra)
set(CPACK_PACKAGE_VENDOR "Triquetra contributors")
set(CPACK_PACKAGE_CONTACT ${TRIQUETRA_CONTACT})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL server client)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION net)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_SERVER_PACKAGE_NAME triquetra-server)
set(CPACK_DEBIAN_SERVER_PACKAGE_DEPENDS "adduser, init-system-helpers (>= 1.54~)")
# Opened by who keeps rooms in PostgreSQL, and by nobody else.
set(CPACK_DEBIAN_SERVER_PACKAGE_SUGGESTS "libpq5")
set(CPACK_DEBIAN_SERVER_DESCRIPTION "server for tabletop games in which players hide things
Triqueta, Triangle Mayhem and 21/15/9-Card Triangles, played from a browser, a
terminal or by bots. The server keeps every secret: a client is sent what its
player may know and nothing else, and at the end of a game anybody can check
that the shuffle was fair. The browser client is built in.")
set(CPACK_DEBIAN_SERVER_PACKAGE_CONTROL_EXTRA
  ${CMAKE_SOURCE_DIR}/packaging/debian/postinst
  ${CMAKE_SOURCE_DIR}/packaging/debian/prerm
  ${CMAKE_SOURCE_DIR}/packaging/debian/postrm
  ${CMAKE_SOURCE_DIR}/packaging/debian/conffiles)
set(CPACK_DEBIAN_CLIENT_PACKAGE_NAME triquetra-client)
set(CPACK_DEBIAN_CLIENT_DESCRIPTION "play at a Triquetra server from a terminal
Plays and watches tabletop games with hidden things in lines or as JSON, lets
bots play, checks and shows records of finished matches, and looks after a
server on the same machine.")
include(CPack)
