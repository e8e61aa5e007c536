/** What all pages for visitors share: languages, style, and the page of an error. */
@NullMarked
package dev.orderly.web.page;

import org.jspecify.annotations.NullMarked;
