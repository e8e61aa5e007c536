/** What tests of jobs need: clocks that obey, a store in memory, a store that fails on request. */
@NullMarked
package dev.orderly.testkit;

import org.jspecify.annotations.NullMarked;
