/** The login of browsers: a page that takes a token, and the session that it opens. */
@NullMarked
package dev.orderly.http.login;

import org.jspecify.annotations.NullMarked;
