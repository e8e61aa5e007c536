@NullMarked
package dev.orderly.web.page;

import org.jspecify.annotations.NullMarked;
