/**
 * Shows what an engine does while it does it. The applying thread writes the effects of each step
 * into a ring of memory, if somebody reads, and knows nothing of readers; a reader copies frames
 * from there and notices when it was overtaken. {@link io.entroq.engine.feed.FeedHub} is the feed
 * of an engine, {@link io.entroq.engine.feed.FeedSwitch} is where the applying thread looks.
 *
 * <p>Internal to the engine: others use the interfaces of {@code gateway}.
 */
package io.entroq.engine.feed;
