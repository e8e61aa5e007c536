@NullMarked
package dev.orderly.http.login;

import org.jspecify.annotations.NullMarked;
