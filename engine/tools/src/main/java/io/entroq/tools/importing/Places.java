package io.entroq.tools.importing;

import io.entroq.api.EntroQ;
import io.entroq.tools.importing.PlaceName.Kind;
import io.entroq.tools.importing.source.Item;
import io.entroq.tools.importing.source.Source;
import io.entroq.tools.terminal.Interruption;

/**
 * Both sides of an import.
 *
 * @param source what is read
 * @param target what is written
 * @param targetName what the target is called in messages
 * @param claimant in whose name to insert; empty: the target's own
 * @param interruption what ends it
 */
public record Places(
    Source source, EntroQ target, String targetName, String claimant, Interruption interruption) {
  Place<? extends Item> place(PlaceName name) {
    return name.kind() == Kind.QUEUE
        ? new QueuePlace(source, target, interruption, claimant, name.name())
        : new NamespacePlace(source, target, interruption, claimant, name.name());
  }
}
