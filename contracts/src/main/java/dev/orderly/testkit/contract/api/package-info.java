/** What every public entry of a published module holds: null is refused, kept collections are copies. */
@Internal(to = "dev.orderly")
@NullMarked
package dev.orderly.testkit.contract.api;

import dev.orderly.Internal;
import org.jspecify.annotations.NullMarked;
