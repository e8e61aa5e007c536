@NullMarked
package dev.orderly.http.access;

import org.jspecify.annotations.NullMarked;
