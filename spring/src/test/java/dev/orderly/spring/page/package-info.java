/** The Java examples of the pages about Spring and servlets, compiled. */
@NullMarked
package dev.orderly.spring.page;

import org.jspecify.annotations.NullMarked;
