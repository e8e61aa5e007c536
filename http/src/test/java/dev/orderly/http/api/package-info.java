@NullMarked
package dev.orderly.http.api;

import org.jspecify.annotations.NullMarked;
