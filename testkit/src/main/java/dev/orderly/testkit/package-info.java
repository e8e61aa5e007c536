/** Tools for tests with Orderly: a clock that a test moves, a store in memory, a store that fails on request. */
@NullMarked
package dev.orderly.testkit;

import org.jspecify.annotations.NullMarked;
