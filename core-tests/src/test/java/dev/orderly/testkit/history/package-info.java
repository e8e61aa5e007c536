@NullMarked
package dev.orderly.testkit.history;

import org.jspecify.annotations.NullMarked;
