// A block of rubber with a hole, in m: `gmsh bracket.geo -3 -format msh41 -o bracket.msh`
SetFactory("OpenCASCADE");
Box(1) = {0, 0, 0, 0.4, 0.1, 0.1};
Cylinder(2) = {0.25, -0.1, 0.05, 0, 0.3, 0, 0.03};
BooleanDifference(3) = { Volume{1}; Delete; }{ Volume{2}; Delete; };
Physical Volume("rubber") = {3};
Mesh.MeshSizeMax = 0.021;
Mesh.MeshSizeMin = 0.021;
Mesh.Algorithm3D = 1;
