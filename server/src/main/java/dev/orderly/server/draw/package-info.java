/** Values of draws that a server fetches: the rounds of drand, and the loop that asks for them. */
@NullMarked
package dev.orderly.server.draw;

import org.jspecify.annotations.NullMarked;
