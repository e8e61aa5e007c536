/** The dashboard under a path of an application, behind its own security. */
@NullMarked
package dev.orderly.servlet.dashboard;

import org.jspecify.annotations.NullMarked;
