/** Backups of the store over the API. */
@NullMarked
package dev.orderly.http.api.backup;

import org.jspecify.annotations.NullMarked;
