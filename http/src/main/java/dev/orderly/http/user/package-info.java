/** Users at the edge: who sends a request, and what they may see. */
@NullMarked
package dev.orderly.http.user;

import org.jspecify.annotations.NullMarked;
