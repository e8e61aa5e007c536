/** A small web shop: checkout in one transaction, steps of orders as jobs, live pages, a waiting room. */
@NullMarked
package com.example.shop;

import org.jspecify.annotations.NullMarked;
