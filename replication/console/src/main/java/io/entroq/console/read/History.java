package io.entroq.console.read;

import io.entroq.codec.wire.edge.Effect;
import java.util.List;

/**
 * Effects of the past, oldest first. Immutable.
 *
 * @param isComplete whether these are all that were asked for; if not, later ones are left out
 */
public record History(List<Effect> effects, boolean isComplete) {}
