/* The files of the browser client, one after the other, as read-only data of the program. The
   build writes WEB_BLOB, and beside it the table of what stands where. */
  .section .rodata
  .balign 16
  .global triquetra_web_blob
triquetra_web_blob:
  .incbin WEB_BLOB
  .section .note.GNU-stack, "", %progbits
