/** Applications under test in real containers. */
@NullMarked
package dev.orderly.servlet;

import org.jspecify.annotations.NullMarked;
