// A cube of a metre. `gmsh cube.geo -3 -format msh41 -o cube_4.msh`, and `msh22`, `-bin`, `-order 2` for the others.
SetFactory("OpenCASCADE");
Box(1) = {0, 0, 0, 1, 1, 1};
Mesh.MeshSizeFactor = 10;
