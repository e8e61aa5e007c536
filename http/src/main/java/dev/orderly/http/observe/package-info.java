/** What the listeners report about their requests and their load. */
@NullMarked
package dev.orderly.http.observe;

import org.jspecify.annotations.NullMarked;
