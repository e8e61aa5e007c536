/** The contract of search over jobs. */
@NullMarked
package dev.orderly.testkit.contract.search;

import org.jspecify.annotations.NullMarked;
