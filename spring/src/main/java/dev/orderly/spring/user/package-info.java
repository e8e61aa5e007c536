/** The users of the application that pushes belong to. */
@NullMarked
package dev.orderly.spring.user;

import org.jspecify.annotations.NullMarked;
