/** The shop, as its customers and its staff see it. */
@NullMarked
package com.example.shop;

import org.jspecify.annotations.NullMarked;
