@NullMarked
package dev.orderly.cli.top;

import org.jspecify.annotations.NullMarked;
