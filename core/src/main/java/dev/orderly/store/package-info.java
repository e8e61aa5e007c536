/** What every store has in common: how it fails. The ports themselves live beside their users. */
@NullMarked
package dev.orderly.store;

import org.jspecify.annotations.NullMarked;
