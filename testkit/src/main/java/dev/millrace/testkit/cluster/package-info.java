/**
 * A real Kubernetes API server for tests, and a small kubelet that runs pods as processes of this
 * host. Read {@link dev.millrace.testkit.cluster.ClusterExtension} first, then {@link
 * dev.millrace.testkit.cluster.SmallKubelet}.
 */
@NullMarked
package dev.millrace.testkit.cluster;

import org.jspecify.annotations.NullMarked;
