@NullMarked
package dev.orderly.http.page;

import org.jspecify.annotations.NullMarked;
