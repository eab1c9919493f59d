package io.entroq.simulator.fault;

import io.entroq.engine.fault.FaultPoint;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/** The faults that are enabled in a world, and how often each occurred. One thread. */
public final class Faults {
  private final Set<FaultKind> on;
  private final Map<FaultKind, Long> counts = new EnumMap<>(FaultKind.class);
  private final Map<FaultPoint, Long> deaths = new EnumMap<>(FaultPoint.class);

  public Faults(Set<FaultKind> on) {
    this.on = on.isEmpty() ? EnumSet.noneOf(FaultKind.class) : EnumSet.copyOf(on);
  }

  /** Whether the world injects faults of this kind. */
  public boolean isOn(FaultKind kind) {
    return on.contains(kind);
  }

  /** A fault of this kind has occurred. */
  public void count(FaultKind kind) {
    counts.merge(kind, 1L, Long::sum);
  }

  /** A process has died at a fault point. */
  public void countDeathAt(FaultPoint point) {
    deaths.merge(point, 1L, Long::sum);
  }

  /** How many processes have died at each fault point; points without a death are left out. */
  public Map<FaultPoint, Long> deaths() {
    return new EnumMap<>(deaths);
  }

  /** How often each kind has occurred; kinds that have not are left out. */
  public Map<FaultKind, Long> counts() {
    return new EnumMap<>(counts);
  }
}
