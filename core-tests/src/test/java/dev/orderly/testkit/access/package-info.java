@NullMarked
package dev.orderly.testkit.access;

import org.jspecify.annotations.NullMarked;
