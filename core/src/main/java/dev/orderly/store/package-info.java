/** What every store has in common: how it fails, and how its nodes tell each other something. The ports themselves live beside their users. */
@NullMarked
package dev.orderly.store;

import org.jspecify.annotations.NullMarked;
