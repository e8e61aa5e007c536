/** Tests of the folder "examples" and of the pages that show its code. */
@NullMarked
package dev.orderly.example;

import org.jspecify.annotations.NullMarked;
