/** Data directories damaged at random: the engine, the log tools and {@code repair} must agree. */
package io.entroq.server.damage;
