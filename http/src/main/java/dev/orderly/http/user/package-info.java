/** Users at the edge: authentication of requests. */
@NullMarked
package dev.orderly.http.user;

import org.jspecify.annotations.NullMarked;
