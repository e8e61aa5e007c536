/** The dashboard in an application. */
@NullMarked
package dev.orderly.servlet.dashboard;

import org.jspecify.annotations.NullMarked;
