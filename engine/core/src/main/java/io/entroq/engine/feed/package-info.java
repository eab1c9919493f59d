/**
 * Shows what an engine does while it does it. The applying thread writes the effects of each step
 * into a ring of memory, if somebody reads, and knows nothing of readers; a reader copies frames
 * from there and notices when it was overtaken. {@link io.entroq.engine.feed.FeedHub} is the feed
 * of an engine, {@link io.entroq.engine.feed.FeedSwitch} is where the applying thread looks.
 *
 * <p>What is not in the ring is read from the directory of the engine, if it has one: {@link
 * io.entroq.engine.feed.DirectoryHistory} replays the log, on a thread for each of a few readers,
 * until the ring has all that follows.
 *
 * <p>Internal to the engine: others use the interfaces of {@code gateway}.
 */
package io.entroq.engine.feed;
