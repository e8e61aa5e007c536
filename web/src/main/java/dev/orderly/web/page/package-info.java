/** What all pages for visitors share: languages, style, and the page of an error. */
@Internal(to = {"dev.orderly.http", "dev.orderly.server", "dev.orderly.servlet"})
@NullMarked
package dev.orderly.web.page;

import dev.orderly.Internal;
import org.jspecify.annotations.NullMarked;
