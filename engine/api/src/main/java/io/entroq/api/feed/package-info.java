/**
 * What happens to tasks, docs and policies, in the order in which the log makes it happen: {@link
 * io.entroq.api.feed.Feed}.
 *
 * <p>A feed shows each {@link io.entroq.api.feed.Effect} after its start once. Whoever keeps the
 * {@link io.entroq.api.feed.FeedPosition} of the last one resumes there, also in another process.
 * {@link io.entroq.api.feed.EffectFold} sums up what happened between two of them. {@link
 * io.entroq.api.feed.FeedSource} and {@link io.entroq.api.feed.FeedCursor} are for implementations
 * of {@link io.entroq.api.EntroQ}.
 */
package io.entroq.api.feed;
