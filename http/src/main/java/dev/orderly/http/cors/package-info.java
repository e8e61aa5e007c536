/** Cross-origin requests of pages (CORS) to routes and to the endpoints of users. */
@NullMarked
package dev.orderly.http.cors;

import org.jspecify.annotations.NullMarked;
