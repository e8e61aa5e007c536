/** What a room reads from a visitor's request and writes into the answer: tokens, and what form and language to answer in. */
@NullMarked
package dev.orderly.http.room;

import org.jspecify.annotations.NullMarked;
