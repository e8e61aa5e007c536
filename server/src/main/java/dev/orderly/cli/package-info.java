/** The command line for people and scripts. The only package that prints and that ends the process. */
@NullMarked
package dev.orderly.cli;

import org.jspecify.annotations.NullMarked;
