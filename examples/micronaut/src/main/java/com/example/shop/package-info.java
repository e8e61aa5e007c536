/** Orderly as plain beans of Micronaut. */
@NullMarked
package com.example.shop;

import org.jspecify.annotations.NullMarked;
