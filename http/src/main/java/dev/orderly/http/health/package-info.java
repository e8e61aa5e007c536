/** Whether a server can do what it is there for. */
@NullMarked
package dev.orderly.http.health;

import org.jspecify.annotations.NullMarked;
