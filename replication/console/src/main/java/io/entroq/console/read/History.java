package io.entroq.console.read;

import io.entroq.codec.wire.edge.Effect;
import java.util.List;

/**
 * Effects of the past, oldest first. Immutable.
 *
 * @param isComplete whether reading came to its end; if not, later ones are left out
 * @param isCut whether older ones were left out, as there are too many
 */
public record History(List<Effect> effects, boolean isComplete, boolean isCut) {}
