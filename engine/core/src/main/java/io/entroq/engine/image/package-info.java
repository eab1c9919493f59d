/**
 * What an image of the state is made of: items in chunks, written and read field by field, and the
 * way from the slots of the image to those of the state that is built from it.
 *
 * <p>The stores describe their own items with this. An image is written on one thread, while
 * another changes the state; it is read on one thread, before anybody else knows the new state.
 * Whatever an image says is checked before it is believed.
 */
package io.entroq.engine.image;
