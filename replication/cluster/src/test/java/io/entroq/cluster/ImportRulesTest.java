package io.entroq.cluster;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** Which packages may depend on which. */
class ImportRulesTest {
  private static final JavaClasses PRODUCT =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("io.entroq");

  @Test
  void shouldUseAeronOnlyInsideTheCluster() {
    noClasses()
        .that()
        .resideOutsideOfPackage("io.entroq.cluster..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.aeron..")
        .check(PRODUCT);
  }

  @Test
  void shouldNotDependOnServersAndClients() {
    noClasses()
        .that()
        .resideInAPackage("io.entroq.cluster..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "io.entroq.server..", "io.entroq.client..", "io.grpc..", "io.netty..", "net.openhft..")
        .check(PRODUCT);
  }

  @Test
  void shouldHaveNoCycles() {
    slices().matching("io.entroq.cluster.(*)..").should().beFreeOfCycles().check(PRODUCT);
  }

  @Test
  void shouldUseOnlyReplicaInternalsOfTheEngine() {
    noClasses()
        .that()
        .resideOutsideOfPackages("io.entroq.engine..", "io.entroq.cluster..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.entroq.engine.replica..")
        .check(PRODUCT);
    noClasses()
        .that()
        .resideInAPackage("io.entroq.cluster..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "io.entroq.engine.runtime..",
            "io.entroq.engine.request..",
            "io.entroq.engine.call..",
            "io.entroq.engine.local..")
        .check(PRODUCT);
  }
}
