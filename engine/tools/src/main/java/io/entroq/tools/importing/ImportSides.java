package io.entroq.tools.importing;

import io.entroq.api.EntroQ;
import io.entroq.tools.importing.UnitName.Kind;
import io.entroq.tools.importing.source.Item;
import io.entroq.tools.importing.source.SourceServer;
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
public record ImportSides(
    SourceServer source,
    EntroQ target,
    String targetName,
    String claimant,
    Interruption interruption) {
  ImportUnit<? extends Item> place(UnitName name) {
    return name.kind() == Kind.QUEUE
        ? new QueueUnit(source, target, interruption, claimant, name.name())
        : new NamespaceUnit(source, target, interruption, claimant, name.name());
  }
}
